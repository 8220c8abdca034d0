# headrace_tool_tests(LABEL [NAME=VALUE...]): every *_test.py of the calling folder is a test that
# runs the tool. A file says `# labels: ...` on a line of its own where it has more than LABEL:
# `strace` where it traces or preloads (the sanitizers bear neither), `slow` where it moves much.
function(headrace_tool_tests label)
  file(GLOB files CONFIGURE_DEPENDS *_test.py)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(REGEX REPLACE "_test$" "" name ${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} more REGEX "^# labels: " LIMIT_COUNT 1)
    string(REPLACE "# labels: " "" more "${more}")
    string(REPLACE " " ";" more "${more}")
    set(timeout 300)
    if("slow" IN_LIST more)
      set(timeout 900)
    endif()
    math(EXPR limit "${timeout} - 30")  # of one test in it: it can still say where it hangs
    add_test(NAME ${label}.${name} COMMAND Python3::Interpreter -B ${file})
    set_tests_properties(${label}.${name} PROPERTIES
      LABELS "${label};${more}" TIMEOUT ${timeout} SKIP_RETURN_CODE 77
      ENVIRONMENT "HEADRACE=$<TARGET_FILE:headrace_tool>;WATCHDOG_LIMIT=${limit};PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/support;${ARGN}")
  endforeach()
endfunction()
