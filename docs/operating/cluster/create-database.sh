#!/bin/sh
# Makes the service's role and database; its last word is where the server is, as Patroni hands it to post_bootstrap.
set -eu
for server in "$@"; do :; done
psql -Xq -v ON_ERROR_STOP=1 -v password="$SCRIPTORIUM_PASSWORD" "$server" <<'SQL'
create role scriptorium login password :'password';
grant pg_monitor to scriptorium;
create database scriptorium owner scriptorium;
SQL
