/** The frame of a channel's tabs: its header, its metadata and its home. */
import type { Call, JsonObject, Site } from '../call.ts'
import type { Channel } from '../model.ts'
import { thumbnailOf } from './context.ts'
import { lockup } from './items.ts'

const HOME_ITEMS = 6

/** Returns Home, a shelf with the newest videos, which exposes a client that takes it for a tab. */
export function homeContent(site: Site, call: Call, channel: Channel): JsonObject {
  const list = site.world.uploads(channel, null)
  const items = []
  for (let position = 0; position < Math.min(HOME_ITEMS, list.length); position++) {
    items.push(
      lockup(
        { video: list.at(position), position, nowMs: call.nowMs, hiddenTitle: null },
        { playlistId: null },
      ),
    )
  }
  const shelfRenderer = {
    title: { runs: [{ text: 'For You' }] },
    content: { horizontalListRenderer: { items } },
  }
  return {
    sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [{ shelfRenderer }] } }] },
  }
}

export function header(channel: Channel): JsonObject {
  const metadataRows = [{ metadataParts: [{ text: { content: channel.handle ?? '' } }] }]
  const pageHeaderViewModel = {
    title: { dynamicTextViewModel: { text: { content: channel.title }, maxLines: 2 } },
    image: {
      decoratedAvatarViewModel: {
        avatar: { avatarViewModel: { image: { sources: thumbnailOf('avatar').thumbnails } } },
      },
    },
    metadata: { contentMetadataViewModel: { metadataRows, delimiter: '•' } },
  }
  return { pageHeaderRenderer: { pageTitle: channel.title, content: { pageHeaderViewModel } } }
}

export function metadata({ channelId, title, handle }: Channel): JsonObject {
  return {
    title,
    description: `The channel ${title}.`,
    rssUrl: `https://www.youtube.com/feeds/videos.xml?channel_id=${channelId}`,
    externalId: channelId,
    keywords: '',
    ownerUrls: [`http://www.youtube.com/${handle ?? ''}`],
    avatar: thumbnailOf('avatar'),
    channelUrl: `https://www.youtube.com/channel/${channelId}`,
    isFamilySafe: true,
    availableCountryCodes: ['US', 'DE'],
    vanityChannelUrl: `http://www.youtube.com/${handle ?? ''}`,
  }
}
