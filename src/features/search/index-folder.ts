/** The folder of the search indexes: a file for each account, those used last, up to a number of bytes. */
import fs from 'node:fs'
import path from 'node:path'

export type IndexFolder = ReturnType<typeof openIndexFolder>

const ENDING = '.db'
/** SQLite keeps up to three files: the index, its log, and what the processes that have it open share. */
export const INDEX_ENDINGS = ['', '-wal', '-shm']
/** Ids of accounts, as we make them; anything else is no file name. */
const FILE_ID = /^[\w-]{1,80}$/

/** Opens the folder, which may be missing: it is made with the first index. */
export function openIndexFolder(folder: string, bytesMax: number) {
  const sizes = new Map(list(folder))
  const total = (): number => sizes.values().reduce((sum, bytes) => sum + bytes, 0)
  const pathOf = (accountId: string): string => {
    if (!FILE_ID.test(accountId)) throw new Error(`${accountId} is no id of an account`)
    return path.join(folder, `${accountId}${ENDING}`)
  }
  return {
    pathOf,
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

/** Returns accounts with the bytes of their indexes, the one changed longest ago first. */
function list(folder: string): [string, number][] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .filter((id) => FILE_ID.test(id))
    .flatMap((id) => {
      const file = path.join(folder, `${id}${ENDING}`)
      // Another process may delete it meanwhile.
      const stat = fs.statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ id, stat, bytes: bytesOfIndex(file) }]
    })
    .sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs)
    .map(({ id, bytes }) => [id, bytes])
}
