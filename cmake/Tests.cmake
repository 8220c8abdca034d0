find_package(GTest REQUIRED)
include(GoogleTest)
add_subdirectory(tests)

# Where the code itself has threads: the thread sanitizer's stage of ./check builds this target and
# runs the labels that end in its name, since it has nothing to say about the rest.
set(threaded net transfer checked http_body http_client http_server)
add_custom_target(threads)
if(TARGET headrace_tool)
  add_dependencies(threads headrace_tool)
endif()

# The unit tests stand beside the code they test: one program per folder.
get_property(folders GLOBAL PROPERTY headrace_tested)
foreach(folder IN LISTS folders)
  get_property(sources GLOBAL PROPERTY headrace_tests_of_${folder})
  add_executable(${folder}_tests ${sources})
  target_link_libraries(${folder}_tests PRIVATE headrace_${folder} headrace_test_support
                        headrace_warnings GTest::gtest_main)
  set(label unit)
  if(folder IN_LIST threaded)
    add_dependencies(threads ${folder}_tests)
    set(label unit-threads)  # one word: gtest_discover_tests loses the semicolons of a list
  endif()
  gtest_discover_tests(${folder}_tests TEST_PREFIX ${folder}. DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 120 LABELS ${label})
endforeach()
