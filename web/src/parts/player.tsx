/**
 * The platform's own player, in a frame of its own that only a click loads, since it calls outside. The page controls
 * it by the messages of its iframe interface, so that no script of the platform runs in this page.
 */
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'

/** Origin of the player, which the page's policy allows (src/api/landing/website.ts). */
const PLAYER = 'https://www.youtube-nocookie.com'
const HELLO_MS = 400

export type PlayerHandle = { seek: (ms: number) => void }

type Props = {
  handle: Ref<PlayerHandle>
  videoId: string
  startMs: number
  /** Called some times a second with the position of the video. */
  onTime: (ms: number) => void
}

export function Player({ handle, videoId, startMs, onTime }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const say = (message: object) =>
    frame.current?.contentWindow?.postMessage(JSON.stringify(message), PLAYER)
  useImperativeHandle(handle, () => ({
    seek: (ms) => {
      say({ event: 'command', func: 'seekTo', args: [ms / 1000, true] })
      say({ event: 'command', func: 'playVideo', args: [] })
    },
  }))
  useEffect(() => {
    let isHeard = false
    const hear = ({ origin, source, data }: MessageEvent) => {
      if (origin !== PLAYER || source !== frame.current?.contentWindow) return
      isHeard = true
      const seconds = secondsOf(data)
      if (seconds !== null) onTime(Math.round(seconds * 1000))
    }
    window.addEventListener('message', hear)
    // The player answers only after a greeting, and receives none before it has loaded.
    const greeting = setInterval(() => {
      if (!isHeard) say({ event: 'listening', id: 'reader', channel: 'widget' })
    }, HELLO_MS)
    return () => {
      window.removeEventListener('message', hear)
      clearInterval(greeting)
    }
  }, [onTime])
  // The frame's address keeps the first position; later ones are sent as messages.
  const opened = useRef(startMs)
  const address = new URL(`/embed/${encodeURIComponent(videoId)}`, PLAYER)
  address.search = new URLSearchParams({
    enablejsapi: '1',
    autoplay: '1',
    playsinline: '1',
    rel: '0',
    start: String(Math.floor(opened.current / 1000)),
    origin: location.origin,
  }).toString()
  return (
    <iframe
      ref={frame}
      src={address.href}
      title="The video"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // The player refuses pages that send no referrer: it gets the origin without a path.
      referrerPolicy="strict-origin-when-cross-origin"
      className="h-[12.5rem] w-full rounded-xl border-0 bg-sunken"
    />
  )
}

/** Returns the position of the video in seconds; null for messages about something else. */
function secondsOf(data: unknown): number | null {
  try {
    const { info } = JSON.parse(String(data)) as { info?: { currentTime?: unknown } }
    return typeof info?.currentTime === 'number' ? info.currentTime : null
  } catch {
    return null
  }
}
