/** Why a pasted line is no source: each reason by name, its sentence, and the pages it belongs to. */
import { LIMITS } from '../../config/config.ts'

/** One sentence for the customer by the reason's name. */
export const SENTENCES = {
  blank: 'it is empty',
  too_long: `it is longer than ${LIMITS.sourceLineChars} characters`,
  not_a_link: 'it is neither an address of the video platform nor a video, playlist or channel id',
  port: 'it has a port number, which no address of the platform has; send it without',
  other_site: 'it is a link to another site',
  bad_video_id: 'it has no complete video id (11 letters, digits, "-" or "_")',
  bad_playlist_id: 'it has no complete playlist id',
  bad_channel: 'it has no complete channel id or handle',
  bad_name: 'it has no complete name of a channel',
  mix: 'it is a mix, which is made for one viewer and never ends; send a playlist instead',
  personal_list:
    'it is a personal list (such as Watch later or Liked videos), which only its owner can see',
  temporary_list: 'it is a temporary list; send the videos or a saved playlist',
  home: 'it is the home page; send a video, playlist or channel',
  search: 'it is a page of search results; send a video, playlist or channel',
  hashtag: 'it is a hashtag page; send a video, playlist or channel',
  feed: 'it is a personal feed; send a video, playlist or channel',
  post: 'it is a post; send the address of the video instead',
  clip: 'it is a clip; open it and send the address of the full video',
  shared: 'it is a shared link; open it and send the address of the full video',
  list_of_lists: 'it is a list of playlists; send the playlists themselves',
  no_videos_page: 'this page lists no videos; send a video, playlist or channel',
} as const

export type RejectionReason = keyof typeof SENTENCES

/** Things that belong in a place, by the reason for which anything else in it is refused. */
export const PLACES = {
  bad_video_id: "a video's id",
  bad_playlist_id: "a playlist's id",
  bad_channel: "a channel's id",
  bad_name: "a channel's name",
} as const

const OTHER_PAGES = (
  'shop t gaming premium about account ads api channels charts creators error explore ' +
  'howyoutubeworks iframe_api index jobs kids login logout movies music new news oops ' +
  'paid_memberships playables podcasts press profile reporthistory s signin source ' +
  'sports storefront trending tv upload verify yt youtubei ytscframe sw.js robots.txt ' +
  'favicon.ico get_video_info timedtext_video select_site testtube create_channel ' +
  'analytics live_dashboard my_videos view_all_playlists subscription_manager ' +
  'audiolibrary'
).split(' ')

/** First path parts that are pages of the platform, never the legacy name of a channel. */
export const PAGES: Readonly<Record<string, RejectionReason>> = {
  results: 'search',
  search: 'search',
  hashtag: 'hashtag',
  feed: 'feed',
  post: 'post',
  clip: 'clip',
  shared: 'shared',
  library: 'feed',
  watch_videos: 'temporary_list',
  ...Object.fromEntries(OTHER_PAGES.map((name) => [name, 'no_videos_page' as const])),
}
