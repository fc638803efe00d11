/** A service's process whose index never answers writes; it still reports what it wrote, and ends. */
import path from 'node:path'
import { openIndexThreads } from '../../src/features/search/index-threads.ts'
import { endlessIndex } from './index-files.ts'

const [folder = ''] = process.argv.slice(2)
const file = path.join(folder, 'stuck.db')
endlessIndex(file)
const threads = openIndexThreads({ readers: 1, writeMs: 3_000 })
const indexed = async (at: string): Promise<number> =>
  (await threads.write<'standing'>({ kind: 'standing', path: at })).indexed

const refused = await indexed(file).catch((error: Error) => error.constructor.name)
const others = await indexed(path.join(folder, 'other.db'))
await threads.write<'remove'>({ kind: 'remove', path: file })
const again = await indexed(file)
await threads.close()
process.send?.({ refused, others, again })
process.disconnect()
