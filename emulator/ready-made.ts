/** The tables of ready-made addresses in README.md; `node emulator/ready-made.ts` prints them. */
import { truthOfVideo } from './truth.ts'
import { SPECIALS } from './special-videos.ts'
import { createWorld, type World } from './world.ts'

const HOST = 'https://www.youtube.com'

/** Returns tables in Markdown: channels, playlists, and every special video with its right status. */
export function readyMadeTables(world: World): string {
  return [
    table(
      ['channel', 'id', 'what'],
      world.channels.map(({ handle, channelId, note }) => [
        `\`${HOST}/${handle ?? ''}\``,
        `\`${channelId}\``,
        note,
      ]),
    ),
    table(
      ['playlist', 'what'],
      world.playlists.map(({ playlistId, note }) => [
        `\`${HOST}/playlist?list=${playlistId}\``,
        note,
      ]),
    ),
    table(
      ['video', 'key', 'status', 'what'],
      SPECIALS.map(({ key, note }) => {
        const { videoId, status } = truthOfVideo(world, world.special(key))
        return [`\`${HOST}/watch?v=${videoId}\``, key, status, note]
      }),
    ),
  ].join('\n')
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}

if (process.argv[1] === import.meta.filename) process.stdout.write(readyMadeTables(createWorld()))
