#!/bin/sh
# Moves the database to a server of a newer major version by logical replication. OLD and NEW are addresses of
# superusers, as psql takes them; the old server has wal_level=logical, the new one an empty database with the schema of
# this release (`admin migrate`).
#   new-major.sh copy      while services run; ends once every table follows
#   new-major.sh switch    once they are stopped; the old database takes no more writes then
set -eu
old() { PGOPTIONS='-c default_transaction_read_only=off' psql -XqAt -v ON_ERROR_STOP=1 "$OLD" -c "$1"; }
new() { PGOPTIONS='-c client_min_messages=warning' psql -XqAt -v ON_ERROR_STOP=1 "$NEW" -c "$1"; }
until_true() { until [ "$("$1" "$2")" = t ]; do sleep 1; done; }
must_be() { [ "$1" = "$2" ] || { echo "$3" >&2; exit 1; }; }

# Unlogged tables are never replicated.
tables="select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname"

case ${1-} in
copy)
    which='select system_identifier from pg_control_system()'
    from=$(old "$which")
    to=$(new "$which")
    [ "$from" != "$to" ] || { echo 'OLD and NEW are one server' >&2; exit 1; }
    from=$(old "$tables")
    to=$(new "$tables")
    must_be "$from" "$to" 'OLD and NEW have not the same tables: `admin migrate` makes them'
    accounts=$(new "select count(*) from account")
    must_be "$accounts" 0 'NEW has accounts, and has to be empty: make its database anew'
    new "truncate $(new "$tables" | paste -sd ,) cascade"
    old "create publication scriptorium_move for all tables"
    new "create subscription scriptorium_move connection '$OLD' publication scriptorium_move"
    until_true new "select bool_and(srsubstate = 'r') from pg_subscription_rel"
    echo "$(new "select count(*) from pg_subscription_rel") tables follow"
    ;;
switch)
    others=$(old "select count(*) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()")
    must_be "$others" 0 'OLD has other connections: stop every process of the service'
    database=$(old "select quote_ident(current_database())")
    old "alter database $database set default_transaction_read_only = on"
    end=$(old "select pg_current_wal_lsn()")
    until_true old "select confirmed_flush_lsn >= '$end' from pg_replication_slots where slot_name = 'scriptorium_move'"
    # Sequences are not replicated.
    old "select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value)
      from pg_sequences where last_value is not null" | while read -r setval; do new "$setval" >/dev/null; done
    rows=0
    for table in $(old "$tables"); do
        count=$(old "select count(*) from $table")
        copied=$(new "select count(*) from $table")
        must_be "$copied" "$count" "$table differs"
        rows=$((rows + count))
    done
    new "drop subscription scriptorium_move"
    old "drop publication scriptorium_move"
    new "analyze"
    echo "$rows rows of $(old "$tables" | wc -l) tables are equal in number"
    ;;
*)
    sed -n '2,7s/^# //p' "$0" >&2
    exit 1
    ;;
esac
