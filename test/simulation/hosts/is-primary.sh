#!/bin/sh
# The role check of HAProxy where no keeper answers /primary: its third and fourth words are the server's address and port.
PGCONNECT_TIMEOUT=1 exec psql -h "$3" -p "$4" -U scriptorium -d scriptorium -Atc "
  select 1 / (not pg_is_in_recovery())::int" >/dev/null 2>&1
