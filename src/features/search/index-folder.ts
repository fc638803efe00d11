/** The folder of the search indexes: a file for each account, those used last, up to a number of bytes. */
import fs from 'node:fs'
import path from 'node:path'

export type IndexFolder = ReturnType<typeof openIndexFolder>

const ENDING = '.db'
/** Ids of accounts, as we make them; anything else is no file name. */
const FILE_ID = /^[\w-]{1,80}$/

/** Opens the folder, which may be missing: it is made with the first index. */
export function openIndexFolder(folder: string, bytesMax: number) {
  const sizes = new Map(list(folder))
  const total = (): number => sizes.values().reduce((sum, bytes) => sum + bytes, 0)
  return {
    pathOf(accountId: string): string {
      if (!FILE_ID.test(accountId)) throw new Error(`${accountId} is no id of an account`)
      return path.join(folder, `${accountId}${ENDING}`)
    },
    /** Notes that an account's index is used now. */
    touch(accountId: string): void {
      const bytes = sizes.get(accountId) ?? 0
      sizes.delete(accountId)
      sizes.set(accountId, bytes)
    },
    /** Notes how many bytes an account's index takes by now. */
    resize: (accountId: string, bytes: number) => void sizes.set(accountId, bytes),
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

/** Returns accounts with the bytes of their indexes, the one changed longest ago first. */
function list(folder: string): [string, number][] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .filter((id) => FILE_ID.test(id))
    .flatMap((id) => {
      // Another process may delete it meanwhile.
      const stat = fs.statSync(path.join(folder, `${id}${ENDING}`), { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ id, stat }]
    })
    .sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs)
    .map(({ id, stat }) => [id, stat.size])
}
