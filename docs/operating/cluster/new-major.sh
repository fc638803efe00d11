#!/bin/sh
# Moves the database to a server of a newer major version by logical replication. OLD and NEW are URLs of superusers;
# the old server has wal_level=logical, the new one an empty database with the schema of this release (`admin migrate`).
#   new-major.sh copy      while services run; ends once every table follows
#   new-major.sh switch    once they are stopped
set -eu
old() { psql -XqAt -v ON_ERROR_STOP=1 "$OLD" -c "$1"; }
new() { psql -XqAt -v ON_ERROR_STOP=1 "$NEW" -c "$1"; }
until_true() { until [ "$("$1" "$2")" = t ]; do sleep 1; done; }

# Unlogged tables are never replicated.
tables="select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname"

case $1 in
copy)
    new "truncate $(new "$tables" | paste -sd ,) cascade"
    old "create publication scriptorium_move for all tables"
    new "create subscription scriptorium_move connection '$OLD' publication scriptorium_move"
    until_true new "select bool_and(srsubstate = 'r') from pg_subscription_rel"
    echo "$(new "select count(*) from pg_subscription_rel") tables follow"
    ;;
switch)
    end=$(old "select pg_current_wal_lsn()")
    until_true old "select confirmed_flush_lsn >= '$end' from pg_replication_slots where slot_name = 'scriptorium_move'"
    # Sequences are not replicated.
    old "select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value)
      from pg_sequences where last_value is not null" | while read -r setval; do new "$setval" >/dev/null; done
    rows=0
    for table in $(old "$tables"); do
        count=$(old "select count(*) from $table")
        [ "$count" = "$(new "select count(*) from $table")" ] || { echo "$table differs" >&2; exit 1; }
        rows=$((rows + count))
    done
    new "drop subscription scriptorium_move"
    old "drop publication scriptorium_move"
    new "analyze"
    echo "$rows rows of $(old "$tables" | wc -l) tables are equal in number"
    ;;
esac
