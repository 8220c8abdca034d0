# find_package(headrace) gives the target headrace::headrace.
get_property(libraries GLOBAL PROPERTY headrace_libraries)
install(TARGETS headrace ${libraries} EXPORT headrace ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT headrace NAMESPACE headrace:: FILE headrace-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headrace)
install(DIRECTORY include/headrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/headrace-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/headrace-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headrace)
