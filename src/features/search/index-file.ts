/**
 * An account's search index: one SQLite file, derived from the store and of no value of its own. A file with
 * anything wrong is deleted and made again.
 *
 *     texts     FTS5 over the tokens of model/search/tokens.ts, without the texts themselves
 *     place, term   every token of `texts` with its text and place, and how often it is there
 *     doc       which row of which job a number of `texts` is (model/search/packed-row.ts); `at`: when it was published
 *     channel   names and platform ids; '' where one is not known
 *     job       how far each job is in it: written in the transaction of the rows
 *     word      words that are found by a part of them (index-words.ts)
 */
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { INDEX_ENDINGS, INDEX_VERSION } from './index-folder.ts'

export type IndexFile = ReturnType<typeof transactionsOf>

const CACHE_KB = 16_384
const MAPPED_BYTES = 1_073_741_824
/** SQLite's code for a file that is no database. */
const NOTADB = 26

const SCHEMA = `
  create virtual table texts using fts5(body, content='', tokenize='ascii', detail=full);
  create table doc (number integer primary key, job int not null, idx int not null, same text not null unique, at int);
  create table job (number integer primary key, id text not null unique, done int not null, success int not null);
  create table channel (number integer primary key, name text not null, id text not null, unique (name, id));
  create index channel_id on channel (id) where id <> '';
  create table language (number integer primary key, code text not null unique);
  create table word (number integer primary key, word text not null unique, docs int not null);
  create virtual table parts using fts5(word, content='', tokenize='trigram', detail=full);
  create virtual table place using fts5vocab(texts, instance);
  create virtual table term using fts5vocab(texts, row);
  create table standing (indexed int not null, fingerprint text not null, made text not null);
  insert into standing values (0, '', hex(randomblob(8)));
  pragma user_version = ${INDEX_VERSION};
`

/** Thrown where the file is not what this code wrote; it looks like SQLite's own error. */
class BrokenIndex extends Error {
  readonly errcode = NOTADB
}

/**
 * Opens an index, or makes an empty one; waits `busyMs` for another process that writes. Throws BrokenIndex where the
 * file is another thing.
 */
export function openIndexFile(file: string, busyMs: number): IndexFile {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  try {
    db.exec(`pragma busy_timeout = ${busyMs}; pragma journal_mode = wal; pragma synchronous = normal;
      pragma cache_size = -${CACHE_KB}; pragma mmap_size = ${MAPPED_BYTES}; pragma temp_store = memory`)
    addTally(db)
    const opened = transactionsOf(db)
    opened.write(() => {
      const isEmpty = db.prepare('select 1 from sqlite_master limit 1').get() === undefined
      if (versionOf(db) === 0 && isEmpty) db.exec(SCHEMA)
    })
    if (versionOf(db) !== INDEX_VERSION) throw new BrokenIndex(`version ${versionOf(db)}`)
    return opened
  } catch (error) {
    db.close()
    throw error
  }
}

/** Copies an index as it is between two additions. Returns false where somebody reads or adds all the time. */
export function copyIndexFile({ db, write }: IndexFile, file: string, to: string): boolean {
  db.exec('pragma wal_checkpoint(truncate)')
  return write(() => {
    if (fs.statSync(`${file}-wal`).size > 0) return false
    fs.copyFileSync(file, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL)
    return true
  })
}

/**
 * Deletes an index. SQLite does not take a log that it finds beside an empty file for its own, so the file goes first;
 * a process that has it open goes on with the deleted file.
 */
export function removeIndexFile(file: string): void {
  for (const ending of INDEX_ENDINGS) fs.rmSync(`${file}${ending}`, { force: true })
}

/**
 * Adds the aggregate `tally(x)`: how many rows have each value of x, as JSON `[[x, rows], …]`. SQLite would sort the
 * rows to group them, which takes longer than finding them. A statement may use it once.
 */
function addTally(db: DatabaseSync): void {
  let rows = new Map<number, number>()
  db.aggregate('tally', {
    start: () => {
      rows = new Map()
      return null
    },
    step: (_, x) => {
      rows.set(Number(x), (rows.get(Number(x)) ?? 0) + 1)
      return null
    },
    result: () => JSON.stringify([...rows]),
  })
}

function transactionsOf(db: DatabaseSync) {
  const statements = new Map<string, StatementSync>()
  const within = <T>(begin: string, work: () => T): T => {
    db.exec(begin)
    try {
      const result = work()
      db.exec('commit')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }
  return {
    db,
    /** Returns a statement of this text, prepared once. */
    prepare(sql: string): StatementSync {
      const known = statements.get(sql) ?? db.prepare(sql)
      statements.set(sql, known)
      return known
    },
    /** Works in one transaction, or not at all. */
    write: <T>(work: () => T): T => within('begin immediate', work),
    /** Works on one state of the file; inside such work, on the same. */
    read: <T>(work: () => T): T => (db.isTransaction ? work() : within('begin', work)),
    close: () => db.close(),
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()?.['user_version'])
}
