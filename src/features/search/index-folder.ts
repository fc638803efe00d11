/**
 * The folder of the search indexes: a file for each account, those used last, up to a number of bytes. An index is of
 * an epoch: what was made before a failover that lost something may have rows that the store has not.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export type IndexFolder = ReturnType<typeof openIndexFolder>

/**
 * The version of the schema, the tokens and what is indexed; it is raised with each change of them, and files of other
 * versions are made again.
 */
export const INDEX_VERSION = 7

const ENDING = '.db'
/** The ending of a copy that is being made. */
const UNFINISHED = '.unfinished'
/** SQLite keeps up to three files: the index, its log, and what the processes that have it open share. */
export const INDEX_ENDINGS = ['', '-wal', '-shm']
/** Ids of accounts, as we make them; anything else is no file name. */
const FILE_ID = /^[\w-]{1,80}$/

/** Opens the folder, which may be missing: it is made with the first index. */
export function openIndexFolder(folder: string, bytesMax: number, epochNow = () => 0) {
  let epoch = epochNow()
  let sizes = new Map(list(folder, endingOf(epoch)))
  const total = (): number => sizes.values().reduce((sum, bytes) => sum + bytes, 0)
  const pathOf = (accountId: string): string => {
    if (!FILE_ID.test(accountId)) throw new Error(`${accountId} is no id of an account`)
    return path.join(folder, `${accountId}${endingOf(epochNow())}`)
  }
  let unfinished: string[] = []
  return {
    pathOf,
    /** Returns a name for a copy of the account's index that is not whole yet. */
    unfinishedOf: (accountId: string) => `${pathOf(accountId)}.${randomUUID()}${UNFINISHED}`,
    /** The release and epoch whose processes can use these indexes. */
    format: () => `${INDEX_VERSION}.${epochNow()}`,
    bytesMax,
    /**
     * Returns the indexes of other epochs, for the caller to remove, and copies that are as unfinished as at the last
     * call: their process has ended.
     */
    outdated(): string[] {
      const now = epochNow()
      if (epoch !== now) sizes = new Map(list(folder, endingOf(now)))
      epoch = now
      const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
      const left = unfinished.filter((name) => names.includes(name))
      unfinished = names.filter((name) => name.endsWith(UNFINISHED))
      const older = names.filter(
        (name) => name.endsWith(ENDING) && accountOf(name, endingOf(now)) === null,
      )
      return [...left, ...older].map((name) => path.join(folder, name))
    },
    /** Notes that an account's index is used now, and how many bytes it takes on the disk. */
    touch(accountId: string): void {
      sizes.delete(accountId)
      sizes.set(accountId, bytesOfIndex(pathOf(accountId)))
    },
    /** Returns the accounts whose indexes have to go for the folder to be within its bytes; never `accountId`. */
    overdue(accountId: string): string[] {
      const overdue: string[] = []
      let left = total() - bytesMax
      for (const [other, bytes] of sizes) {
        if (left <= 0) break
        if (other === accountId) continue
        overdue.push(other)
        left -= bytes
      }
      return overdue
    },
    /** Returns whether no room is left for more of this account, even without the others. */
    isFull: (accountId: string) => (sizes.get(accountId) ?? 0) >= bytesMax,
    forget: (accountId: string) => void sizes.delete(accountId),
    /** Returns the accounts that may have an index. */
    accounts: () => [...sizes.keys()],
  }
}

/** Returns what an index takes on the disk; 0 where there is none. */
function bytesOfIndex(file: string): number {
  return INDEX_ENDINGS.map(
    (ending) => fs.statSync(`${file}${ending}`, { throwIfNoEntry: false })?.size ?? 0,
  ).reduce((sum, size) => sum + size, 0)
}

/** Returns how the names of an epoch's indexes end; those of the first as they ever did. */
function endingOf(epoch: number): string {
  return epoch === 0 ? ENDING : `.e${epoch}${ENDING}`
}

/** Returns the account of an index by its file's name; null where that ends otherwise. */
function accountOf(name: string, ending: string): string | null {
  const id = name.endsWith(ending) ? name.slice(0, -ending.length) : ''
  return FILE_ID.test(id) ? id : null
}

/** Returns accounts with the bytes of their indexes, the one changed longest ago first. */
function list(folder: string, ending: string): [string, number][] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .flatMap((name) => accountOf(name, ending) ?? [])
    .flatMap((id) => {
      const file = path.join(folder, `${id}${ending}`)
      // Another process may delete it meanwhile.
      const stat = fs.statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ id, stat, bytes: bytesOfIndex(file) }]
    })
    .sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs)
    .map(({ id, bytes }) => [id, bytes])
}
