/** GET /feeds/videos.xml: the fifteen newest videos of a list, with exact dates. */
import type { Call, Place, Reply } from '../call.ts'
import type { Video } from '../model.ts'
import { playlistAsked } from './playlist.ts'

const NEWEST = 15
const MISSING: Reply = {
  status: 404,
  type: 'html',
  body: '<!DOCTYPE html><html><title>Error 404 (Not Found)!!1</title></html>',
}

export function feedReply(place: Place, call: Call): Reply {
  if (place.settings.rss === 'missing') return MISSING
  if (place.settings.rss === 'broken') return { status: 500, type: 'html', body: '' }
  const { world } = place
  const channelId = call.query.get('channel_id')
  const playlistId = call.query.get('playlist_id')
  if (channelId !== null) {
    const channel = world.channelById(channelId)
    if (channel === null || channel.state !== 'ok') return MISSING
    return feed(
      { title: channel.title, id: `yt:channel:${channelId.slice(2)}`, channelId },
      world.uploads(channel, null),
    )
  }
  const list =
    playlistId === null || playlistId.startsWith('UULF') ? '' : playlistAsked(place, playlistId)
  if (typeof list === 'string') return MISSING
  return feed(
    { title: list.title, id: `yt:playlist:${playlistId}`, channelId: list.owner.channelId },
    list,
  )
}

/** The feed's own `yt:channelId` lacks the "UC", as the real one does. */
function feed(
  { title, id, channelId }: { title: string; id: string; channelId: string },
  list: { length: number; at(position: number): Video },
): Reply {
  const entries = []
  for (let position = 0; position < Math.min(NEWEST, list.length); position++)
    entries.push(entry(list.at(position)))
  const body =
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed ' +
    'xmlns:yt="http://www.youtube.com/xml/schemas/2015" ' +
    'xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">\n' +
    ` <id>${id}</id>\n <yt:channelId>${channelId.slice(2)}</yt:channelId>\n` +
    ` <title>${escaped(title)}</title>\n` +
    `${entries.join('')}</feed>\n`
  return { status: 200, type: 'xml', body }
}

function entry(video: Video): string {
  const { videoId, channel } = video
  const published = new Date(video.publishedMs).toISOString().replace(/\.\d+Z$/, '+00:00')
  const link =
    video.kind === 'short'
      ? `https://www.youtube.com/shorts/${videoId}`
      : `https://www.youtube.com/watch?v=${videoId}`
  return (
    ` <entry>\n  <id>yt:video:${videoId}</id>\n  <yt:videoId>${videoId}</yt:videoId>\n` +
    `  <yt:channelId>${channel.channelId}</yt:channelId>\n` +
    `  <title>${escaped(video.title)}</title>\n` +
    `  <link rel="alternate" href="${link}"/>\n` +
    `  <author><name>${escaped(channel.title)}</name></author>\n` +
    `  <published>${published}</published>\n  <updated>${published}</updated>\n </entry>\n`
  )
}

/** XML knows no control characters; the real feed leaves them out. */
function escaped(text: string): string {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  return plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
