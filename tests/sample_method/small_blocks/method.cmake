# One folder, one method: the build finds it by this file. Here stand `set(NEEDS tls)` for more
# folders of src/, or `set(LINKS uring)` for libraries, where a method wants them.
