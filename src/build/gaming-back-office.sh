#!/bin/sh
# gaming-back-office [COMMAND] [OPTIONS]: starts the server, or runs a command as `npm run COMMAND -- OPTIONS` does.
# gaming-back-office --help lists the commands and the settings.
set -eu
here=$(dirname "$(readlink -f "$0")")/..
if ! command -v node >/dev/null; then
  echo 'gaming-back-office needs Node.js 22 or newer, and there is no node on the PATH.' >&2
  exit 1
fi
command=${1:-start}
[ $# -eq 0 ] || shift
case $command in
  start) exec node "$here/build/server/main.mjs" "$@" ;;
  *) exec node "$here/build/server/main.mjs" "$command" "$@" ;;
esac
