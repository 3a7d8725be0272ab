// A library needs one source before its folder has any.
