/** Names of channels by their numbers in an index. */
import type { IndexFile } from './index-file.ts'
import type { IndexedChannel } from './messages.ts'

/** `key` is the same for the numbers of one channel: with its id, and without it where its name tells which it is. */
export type ChannelNames = { of(number: number): IndexedChannel & { key: string } }

export function channelNames({ prepare }: IndexFile): ChannelNames {
  const find = prepare('select name, id from channel where number = ?')
  const idsOf = prepare(
    `select min(id) as id, count(*) as n from channel where name = ? and id <> ''`,
  )
  const idByName = (name: string): string => {
    const { id, n } = idsOf.get(name) as { id: string | null; n: number }
    return n === 1 ? (id ?? '') : ''
  }
  return {
    of(number) {
      const found = find.get(number) as { name: string; id: string } | undefined
      const { name, id } = found ?? { name: '', id: '' }
      const knownId = id === '' && name !== '' ? idByName(name) : id
      return {
        channelName: name === '' ? null : name,
        channelId: knownId === '' ? null : knownId,
        key: knownId === '' ? `name ${name}` : knownId,
      }
    },
  }
}
