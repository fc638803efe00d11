/** Both servers are lost with their disks, and come back from pgBackRest's repository as of a point in time. */
import fs from 'node:fs'
import path from 'node:path'
import { until } from '../../support/until.ts'
import type { Bed } from './bed.ts'
import { closeBooks, expectNoneEnded, type HostFigures } from './books.ts'
import { expectNoticed } from './lost-primaries.ts'
import { folderOf, pg, runsArchived, startPatroni } from './pair.ts'

const MORE = 25
/** No process of the service looks there, so that nothing is written before a standby follows. */
const PORT = '5433'

/** S13: what was told after the point is gone, and noticed; all before it is there. */
export async function restoreToPoint(bed: Bed): Promise<HostFigures> {
  const { network, pair, client } = bed
  const { pg1, pg2 } = network.hosts
  const says = (what: string, out: string): void => {
    for (const line of out.split('\n'))
      if (/ size = |recovery will start/.test(line))
        bed.say(`${what}: ${line.split('INFO: ').at(-1)}`)
  }
  says('backup', await runsArchived(network, pg1, ['pgbackrest', '--type=full', 'backup']))
  await client.untilMore(MORE)
  const [point = ''] = await pair.asks(pg1, 'select clock_timestamp()')
  const before = client.acknowledged()
  await client.untilMore(MORE)
  bed.say(`${before.length} orders are acknowledged at ${point}; ${MORE} and more after it`)
  // Both disks are lost: what was not archived is gone, whatever the point is.
  const [last = ''] = await pair.asks(pg1, 'select pg_walfile_name(pg_switch_wal())')
  const archived = `select last_archived_wal >= '${last}' from pg_stat_archiver`
  await until('the log is archived', async () => (await pair.asks(pg1, archived))[0] === 't')

  bed.marks('event')
  for (const host of [pg1, pg2]) {
    host.signals('SIGKILL')
    fs.rmSync(path.join(network.folder, `${host.name}-data`), { recursive: true })
  }
  await restore(bed, point, says)
  bed.marks('promotion')
  await client.untilMore(MORE)
  expectNoneEnded(bed)
  const figures = await closeBooks(bed, pg1)
  const after = figures.acknowledged - before.length
  bed.expects(figures.lost > 0 && figures.lost < after, `${figures.lost} of ${after} are lost`)
  const known = new Set(await pair.asks(pg1, 'select id from job'))
  const gone = before.filter(({ jobIds }) => ![...jobIds].some((id) => known.has(id)))
  bed.expects(gone.length === 0, `${gone.length} orders of before the point are lost`)
  await expectNoticed(bed, pg1)
  return figures
}

/** Does what docs/operating/many-machines.md tells operators to do. */
async function restore(
  { network, pair, say }: Bed,
  point: string,
  says: (what: string, out: string) => void,
): Promise<void> {
  const { pg1, pg2, proxy } = network.hosts
  const data = path.join(network.folder, 'pg1-data')
  const control = (...words: string[]): Promise<string> =>
    runsArchived(network, pg1, [pg('pg_ctl'), '-D', data, '-w', ...words])
  await folderOf(network, pg1)
  const to = ['--type=time', `--target=${point}`, '--target-action=promote']
  says('restore', await runsArchived(network, pg1, ['pgbackrest', ...to, 'restore']))
  await control('start', '-o', `-p ${PORT}`, '-l', path.join(data, 'restore.log'))
  await until('the log is replayed up to the point', async () => {
    const ask = [pg('psql'), '-p', PORT, '-U', 'postgres', '-Atc', 'select pg_is_in_recovery()']
    return (await runsArchived(network, pg1, ask)) === 'f'
  })
  const log = fs.readFileSync(path.join(data, 'restore.log'), 'utf8').split('\n')
  for (const line of log.filter((one) => /recovery stopping|new timeline/.test(one))) say(line)
  await control('stop', '-m', 'fast')

  // The lease still names the lost server, at first, and is to be asked about then.
  const config = path.join(network.folder, 'cluster/patroni.yml')
  await proxy.runs(['patronictl', '-c', config, 'remove', 'scriptorium'], {
    env: { PATRONI_ETCD3_HOSTS: `${proxy.ip}:2379` },
    input: 'scriptorium\nYes I am aware\npg1\n',
  })
  await startPatroni(network, pg1)
  await startPatroni(network, pg2)
  await until('the standby follows', async () => {
    const [state] = await pair.asks(pg1, 'select sync_state from pg_stat_replication')
    return state === 'sync'
  })
}
