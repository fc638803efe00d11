/** The original language of a video with several sounds. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { chooseTrack } from '../../model/transcripts/caption-track.ts'
import { readPlayer } from './player.ts'

const ID = 'dQw4w9WgXcQ'
const OK = { status: 'OK' }
const TRACK = {
  baseUrl: 'https://www.youtube.com/api/timedtext?v=x',
  languageCode: 'en',
  kind: 'asr',
}

const captions = (extra: object): object => ({
  captions: { playerCaptionsTracklistRenderer: { captionTracks: [TRACK], ...extra } },
})

test('an English video whose Arabic dub is played by default is delivered in English', () => {
  const asked = (tracks: object[]): string => {
    const sounds = [{ audioTrackId: 'ar.3' }, { audioTrackId: 'en.2' }]
    const reply = {
      playabilityStatus: OK,
      ...captions({ captionTracks: tracks, audioTracks: sounds, defaultAudioTrackIndex: 0 }),
    }
    const answer = readPlayer(reply, ID)
    const choice = answer.kind === 'tracks' ? chooseTrack(answer.list, 'original') : answer
    return choice.kind === 'chosen' ? choice.track.languageCode : choice.kind
  }
  const arabic = { ...TRACK, languageCode: 'ar', kind: undefined }
  assert.equal(asked([arabic, TRACK]), 'en')
  assert.equal(asked([TRACK]), 'en', 'it was refused where the dub has no track')
})

test('the original sound is the one marked so, whichever is played by default', () => {
  const sounds = [{ audioTrackId: 'en.2' }, { audioTrackId: 'es.3' }, { audioTrackId: 'ja.4' }]
  const reply = {
    playabilityStatus: OK,
    ...captions({ audioTracks: sounds, defaultAudioTrackIndex: 1 }),
  }
  const answer = readPlayer(reply, ID)
  assert.ok(answer.kind === 'tracks' && answer.list.originalAudio === 'ja')
})
