#!/bin/sh
# The role check of HAProxy where no keeper answers /primary.
# Its third and fourth words are the server's address and port. Servers that ask for a password: export PGPASSFILE here.
ask='select pg_is_in_recovery()'
is_standby=$(PGCONNECT_TIMEOUT=1 psql -h "$3" -p "$4" -U scriptorium -d scriptorium -Atc "$ask" 2>/dev/null)
test "$is_standby" = f
