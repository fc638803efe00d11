/** The line that goes on with a collection alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptLines } from '../jobs/order.ts'
import { lineThatGoesOn } from './collection.ts'

const UC = 'UCTwECeGqMZee77BjdoYtI2Q'
const PL = 'PLWwAypAcFRgKAIIFqBr9oy-ZYZnixa_Fj'
const read = (urls: string[]) => keptLines({ urls, sources: null })
const ofChannel = (...lines: string[]) => lineThatGoesOn(read(lines), { id: UC, kind: 'channel' })
const ofPlaylist = (...lines: string[]) => lineThatGoesOn(read(lines), { id: PL, kind: 'playlist' })
const [CHANNEL, PLAYLIST] = [`channel/${UC}`, `playlist?list=${PL}`].map(
  (page) => `https://www.youtube.com/${page}`,
)

test('the line that ordered a whole list alone goes on with it, as it was sent', () => {
  for (const line of ['@name', UC, 'youtube.com/c/name/featured/', `UU${UC.slice(2)}`])
    assert.equal(ofChannel(line), line)
  for (const line of [PL, `youtube.com/playlist?list=${PL}&si=x`])
    assert.equal(ofPlaylist(line), line)
})

test('after a tab of a channel, or several lines, the address of the list goes on', () => {
  for (const tab of 'videos shorts live podcasts courses Shorts/ shorts?view=0'.split(' '))
    assert.equal(ofChannel(`https://www.youtube.com/@name/${tab}`), CHANNEL)
  assert.deepEqual([ofChannel('@name', PL), ofPlaylist(PL, '@name')], [CHANNEL, PLAYLIST])
  for (const line of ['dQw4w9WgXcQ', 'no address', '']) assert.equal(ofPlaylist(line), PLAYLIST)
})
