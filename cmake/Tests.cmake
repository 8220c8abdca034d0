find_package(GTest REQUIRED)
include(GoogleTest)
add_subdirectory(tests)

# The unit tests stand beside the code they test: one program per folder.
get_property(folders GLOBAL PROPERTY headrace_tested)
foreach(folder IN LISTS folders)
  get_property(sources GLOBAL PROPERTY headrace_tests_of_${folder})
  add_executable(${folder}_tests ${sources})
  target_link_libraries(${folder}_tests PRIVATE headrace_${folder} headrace_test_support
                        headrace_warnings GTest::gtest_main)
  gtest_discover_tests(${folder}_tests TEST_PREFIX ${folder}. DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 120 LABELS unit)
endforeach()
