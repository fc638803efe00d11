/**
 * The three pictures of the first page: a search, a text that is quoted, a project that is taken along. They are taken
 * of the website itself, over the test platform (test/browser/showcase.ts); `npm run pictures` writes them anew.
 */
import { html, type Markup } from './page.ts'

/** CSS pixels of each picture; its file has twice as many each way. */
export const PICTURE = { width: 625, height: 440 }
/** The names of the pictures' files, as `search.light.webp`. */
export const LOOKS = ['light', 'dark'] as const

type Shown = { name: string; title: string; sentence: string; alt: string }

const SEARCH: Shown = {
  name: 'search',
  title: 'Search every word',
  sentence:
    'A phrase, a word or another, in one channel or in all that you have: each place with its second.',
  alt: 'A search for “bridge” in the lectures of one channel: each hit with its sentence, the word marked, and its time.',
}
export const SHOWN: readonly Shown[] = [
  SEARCH,
  {
    name: 'reader',
    title: 'Read and quote',
    sentence:
      'Mark a sentence and copy it with title, channel, day and a link that plays the video from there.',
    alt: 'A lecture as text with times. A sentence is selected, and a bar offers to copy it as a quote.',
  },
  {
    name: 'project',
    title: 'Take it along',
    sentence:
      'One ZIP of a channel or a project; notes, citations and tables for Obsidian, Zotero, NotebookLM and 4CAT.',
    alt: 'A project with eleven transcripts, and the menu of the files in which it can be downloaded.',
  },
]

/** Returns the picture beside the first words of the page. */
export function firstPicture(demoUrl: string | null): Markup {
  return figure(SEARCH, demoUrl)
}

/** Returns the other pictures, side by side. */
export function otherPictures(demoUrl: string | null): Markup {
  const others = SHOWN.filter((shown) => shown !== SEARCH)
  return html`<section class="pictures" aria-label="Reading, quoting and exporting">
    ${others.map((shown) => figure(shown, demoUrl))}
  </section>`
}

/** Returns a picture with what it shows; in a demo it leads to the page itself. */
function figure(shown: Shown, demoUrl: string | null): Markup {
  const image = picture(shown)
  return html`<figure class="shown">
    ${demoUrl === null ? image : html`<a href="${demoUrl}/${shown.name}">${image}</a>`}
    <figcaption><strong>${shown.title}.</strong> ${shown.sentence}</figcaption>
  </figure>`
}

function picture({ name, alt }: Shown): Markup {
  const [light = '', dark = ''] = LOOKS.map((look) => `/pictures/${name}.${look}.webp`)
  return html`<picture>
    <source media="(prefers-color-scheme: dark)" srcset="${dark}" />
    <img
      src="${light}"
      width="${PICTURE.width}"
      height="${PICTURE.height}"
      alt="${alt}"
      decoding="async"
    />
  </picture>`
}
