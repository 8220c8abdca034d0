#include "cli/http_options.hpp"

#include <chrono>

#include "cli/http_client.hpp"

namespace headrace::cli {
namespace {

using http::client::Expect;

const std::string header_form =
    "NAME:VALUE, of which headrace sets Host, Connection, Content-Length, Content-Range, Expect, "
    "Range, If-Range, Accept-Encoding, TE, Trailer, Transfer-Encoding and Upgrade itself";

void add_http(CLI::App& command, HttpArguments& arguments) {
  arguments.common.idle_timeout = std::chrono::seconds{60};
  command
      .add_option_function<std::vector<std::string>>(
          "--header",
          [&arguments](const std::vector<std::string>& lines) {
            for (const std::string& line : lines) {
              arguments.headers.push_back(
                  wanted(parse_header(line), "--header", line, header_form));
            }
          },
          "A field of the request, beside the usual ones; many times")
      ->type_name("NAME:VALUE")
      ->allow_extra_args(false);  // one at a time: what follows is an operand
  add_socket(command, arguments.window, arguments.congestion);
  add_wishes(command, arguments.common);
  add_common(command, arguments.common);
}

}  // namespace

void add_put_options(CLI::App& command, PutArguments& arguments) {
  command
      .add_option("FILE URL", arguments.ends,
                  "file, FIFO, device, or - for standard input, and where it goes; a URL that ends "
                  "in / gets the name of the file; many pairs")
      ->required()
      ->type_name("...");
  choice<Expect>(
      command, "--expect",
      "auto: ask the server first where a body is larger than 1MiB or can be sent only once; "
      "always; never (default auto)",
      {{"auto", Expect::automatic}, {"always", Expect::always}, {"never", Expect::never}},
      [&arguments](Expect value) { arguments.expect = value; });
  add_range(command, arguments.http.common);
  add_contract(command, arguments.http.common,
               {.guarded = "default", .stable = "default up to 64KiB", .live = ""});
  add_http(command, arguments.http);
}

void add_get_options(CLI::App& command, GetArguments& arguments) {
  command.add_option("URL", arguments.url, "http://HOST[:PORT]/PATH")->required();
  command.add_option("FILE", arguments.file,
                     "where it goes, - being standard output (default the URL's last segment)");
  command.add_flag("--resume", arguments.resume,
                   "Go on with what an earlier run left in FILE.part");
  command.add_flag("--content-disposition", arguments.content_disposition,
                   "Without FILE, let the server name the file (only a name, never a path)");
  add_contract(command, arguments.http.common, {.guarded = {}, .stable = "", .live = "default"});
  add_http(command, arguments.http);
}

}  // namespace headrace::cli
