/** The flags of an embed page (`encryptedHostFlags`), by which the platform knows where a player is embedded. */
import type { Call, Site } from '../call.ts'
import { hashText, hexOf, mix } from '../random.ts'

/** Whether a player's call carries the flags of the video's own embed page, as any visitor: yt-dlp keeps its first. */
export function showsFlags(site: Site, call: Call): boolean {
  const playback = call.body.playbackContext as
    { contentPlaybackContext?: { encryptedHostFlags?: unknown } } | undefined
  const shown = playback?.contentPlaybackContext?.encryptedHostFlags
  return shown === flagsOf(site, call.videoId)
}

export function flagsOf({ world }: Site, videoId: string): string {
  return `Em${hexOf(mix(world.seed, hashText(`${videoId} in a page`)), 40)}=`
}
