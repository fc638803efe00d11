/** A service's process whose index never answers writes; it still reports what it wrote, and ends. */
import path from 'node:path'
import { openIndexProcesses } from '../../src/features/search/index-processes.ts'
import { TEST_DEADLINES } from '../support/settings.ts'
import { endlessIndex } from './index-files.ts'

const [folder = ''] = process.argv.slice(2)
const file = path.join(folder, 'stuck.db')
endlessIndex(file)
const processes = openIndexProcesses({
  readers: 1,
  deadlines: { ...TEST_DEADLINES, searchWriteMs: 3_000 },
})
const indexed = async (at: string): Promise<number> =>
  (await processes.write('standing', { path: at })).indexed

const refused = await indexed(file).catch((error: Error) => error.constructor.name)
const others = await indexed(path.join(folder, 'other.db'))
await processes.write('remove', { path: file })
const again = await indexed(file)
await processes.close()
process.send?.({ refused, others, again })
process.disconnect()
