# One folder, one method: the build finds it by this file.
