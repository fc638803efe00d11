/** Videos of an evening by the platform's clock: in UTC, and where clocks are ahead of it, they are of the next day. */
import type { World } from '../../emulator/world.ts'
import { uploadsOf } from '../repeats/asking-again.ts'

const utcDay = (publishedAt: string) => new Date(publishedAt).toISOString().slice(0, 10)

/** Returns one that has captions, with a word of it; it is of the next month, too, in UTC. */
export function lateVideo(world: World) {
  const uploads = ['small', 'german'].flatMap((name) => uploadsOf(world, world.channel(name)))
  const late = uploads.flatMap(({ videoId, publishedAt, status, tracks }) =>
    publishedAt === null || status !== 'success'
      ? []
      : [
          {
            videoId,
            publishedAt,
            day: publishedAt.slice(0, 10),
            utc: utcDay(publishedAt),
            word: /\p{L}{5,}/u.exec(tracks[0]?.segments[0]?.text ?? '')?.[0] ?? '',
          },
        ],
  )
  return late.find(({ day, utc }) => day.slice(0, 7) !== utc.slice(0, 7))!
}
