/** Every command as data, from which parsing, help and completion are made. */

import {
  DATES,
  FILE_FORMATS,
  LIBRARY_FILES,
  type OptionSpec,
  OUTPUT,
  SHELLS,
} from './option-specs.ts'

export {
  FILE_FORMATS,
  LIBRARY_FILES,
  NAMINGS,
  type OptionSpec,
  PRINT_FORMATS,
  SHELLS,
} from './option-specs.ts'

export type CommandSpec = {
  name: string
  /** Text after the command's name. */
  usage: string
  /** One line of the list of commands. */
  about: string
  /** Name of the command in whose line of that list this one stands. */
  listedWith?: string
  examples: readonly string[]
  /** Sentences below the options. */
  notes: readonly string[]
  options: Readonly<Record<string, OptionSpec>>
  /** Number of words beside options. */
  words: { min: number; max: number }
  /** Words that completion offers. */
  choices?: readonly string[]
}

export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { value: null, about: 'one JSON value on standard output; errors as JSON, too' },
  server: { value: 'URL', about: 'which service to use (SCRIPTORIUM_URL)' },
  help: { value: null, about: 'this page', short: 'h' },
}

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'get',
    usage: 'URL…',
    about: 'transcripts of videos, playlists and channels, as files',
    examples: [
      'scriptorium get https://www.youtube.com/@channel --max 20 --out talks',
      'scriptorium get VIDEO --stdout --format markdown > talk.md',
    ],
    options: {
      ...OUTPUT,
      max: { value: 'N', about: 'at most N videos (500)', short: 'n' },
      'max-usd': { value: 'USD', about: 'spend at most so much' },
      ...DATES,
      language: { value: 'CODE', about: 'captions in this language (original)', short: 'l' },
      'dry-run': { value: null, about: 'show what would be fetched, and its price' },
      again: { value: null, about: 'buy again what other orders delivered' },
      new: { value: null, about: 'order anew, even if an interrupted order is left' },
    },
    notes: ['Interrupted, the same command goes on and never buys twice. "-" reads stdin.'],
    words: { min: 1, max: 50 },
  },
  {
    name: 'jobs',
    usage: '',
    about: 'what was ordered, newest first',
    examples: ['scriptorium jobs --limit 5', "scriptorium jobs --json | jq -r '.jobs[].id'"],
    options: {
      limit: { value: 'N', about: 'so many jobs, 1 to 50 (20)' },
      offset: { value: 'N', about: 'without the newest N (0)' },
    },
    notes: [],
    words: { min: 0, max: 0 },
  },
  {
    name: 'job',
    usage: 'ID',
    about: "one job's state; --watch follows it to its end",
    examples: ['scriptorium job ID --watch', 'scriptorium job ID --json | jq .progress'],
    options: { watch: { value: null, about: 'follow it until it is final', short: 'w' } },
    notes: [],
    words: { min: 1, max: 1 },
  },
  {
    name: 'results',
    usage: 'ID',
    about: 'what became of each video of a job',
    examples: ['scriptorium results ID --status no_captions', 'scriptorium results ID --json'],
    options: {
      status: { value: 'LIST', about: 'only rows of these statuses, with commas between them' },
    },
    notes: [],
    words: { min: 1, max: 1 },
  },
  {
    name: 'search',
    usage: 'WORDS…',
    about: 'where something is said, with links to the second',
    examples: [
      'scriptorium search zoo elephants --limit 5',
      `scriptorium search '"in front of" eleph* -lion' --json | jq -r '.hits[].url'`,
      'scriptorium search engine OR bridge --csv > mentions.csv',
    ],
    options: {
      mentions: { value: null, about: 'each place, not one hit a transcript' },
      csv: { value: null, about: 'all mentions as CSV' },
      limit: { value: 'N', about: 'so many hits or mentions, 1 to 1000 (10)' },
      newest: { value: null, about: 'the newest first, not the best' },
      channel: { value: 'UC…', about: 'only this channel, by id or name' },
      language: { value: 'CODE', about: 'only in this language', short: 'l' },
      ...DATES,
    },
    notes: ['Quote "phrases" within the shell’s quotes; put -- before a first -word.'],
    words: { min: 1, max: 50 },
  },
  {
    name: 'library',
    usage: '[NAME]',
    about: 'your channels and playlists; all of one as a file',
    examples: [
      'scriptorium library',
      'scriptorium library @channel --as zip --format text,srt > channel.zip',
      'scriptorium library UC… --as jsonl --seconds 60 > passages.jsonl',
    ],
    options: {
      as: { value: 'KIND', about: LIBRARY_FILES.join(', '), choices: LIBRARY_FILES },
      format: {
        value: 'LIST',
        about: 'in the ZIP: text,srt,vtt,segments (text)',
        choices: FILE_FORMATS,
      },
      seconds: { value: 'N', about: 'passages of jsonl of at most N seconds (120)' },
    },
    notes: ['NAME is an ID, a @handle or a title. Nothing is bought.'],
    words: { min: 0, max: 50 },
  },
  {
    name: 'project',
    usage: '[new|add|remove NAME…]',
    about: 'collections of your own; without words, list them',
    listedWith: 'library',
    examples: [
      'scriptorium project new Housing',
      'scriptorium project add Housing --from @channel',
      'scriptorium library Housing --as zip > housing.zip',
    ],
    options: { from: { value: 'WHAT', about: 'a job ID, a channel, a playlist or a project' } },
    notes: ['NAME may be an ID. Nothing is bought; remove deletes no transcript.'],
    words: { min: 0, max: 50 },
    choices: ['new', 'add', 'remove'],
  },
  {
    name: 'download',
    usage: 'ID',
    about: 'the files of a job; waits for its end',
    examples: ['scriptorium download ID --out talks --format srt'],
    options: OUTPUT,
    notes: ['Files that are there already are left alone. Nothing is bought.'],
    words: { min: 1, max: 1 },
  },
  {
    name: 'cancel',
    usage: 'ID',
    about: 'end a job; what it delivered is charged',
    examples: ['scriptorium cancel ID'],
    options: {},
    notes: [],
    words: { min: 1, max: 1 },
  },
  {
    name: 'rename',
    usage: 'ID [NAME…]',
    about: 'call a job something else; without a name, by what it is about',
    examples: ['scriptorium rename ID Interviews, part one', 'scriptorium rename ID --note ""'],
    options: { note: { value: 'TEXT', about: 'note this about it; an empty text takes it away' } },
    notes: [],
    listedWith: 'job',
    words: { min: 1, max: 50 },
  },
  {
    name: 'follow',
    usage: '[URL…]',
    about: 'buy new videos by themselves; without a URL, list it',
    examples: [
      'scriptorium follow https://www.youtube.com/@channel --cap 2 --last 10',
      'scriptorium follow set @channel --cap 5 --every 6',
      'scriptorium follow pause ID',
    ],
    options: {
      cap: { value: 'USD', about: 'new videos cost at most so much in a month' },
      last: { value: 'N', about: 'and the latest N videos, up to 500 (0)' },
      since: { value: 'DATE', about: 'of these, published on this day or later' },
      every: { value: 'HOURS', about: 'look so often, 1 to 168; auto: as often as it publishes' },
      language: { value: 'CODE', about: 'captions in this language (original)', short: 'l' },
    },
    notes: ['Also: follow resume, set, remove. The ID may be the URL as it was sent.'],
    words: { min: 0, max: 50 },
    choices: ['pause', 'resume', 'set', 'remove'],
  },
  {
    name: 'balance',
    usage: '',
    about: 'what is left to spend',
    examples: ['scriptorium balance', 'scriptorium balance --json | jq -r .balance'],
    options: {},
    notes: [],
    words: { min: 0, max: 0 },
  },
  {
    name: 'receipt',
    usage: 'verify FILE',
    about: 'check the signed receipt of a job; get ID saves one',
    examples: [
      'scriptorium receipt get ID > receipt.json',
      'scriptorium receipt verify receipt.json --texts',
    ],
    options: {
      keys: { value: 'FILE', about: 'the published keys as a file, for no network' },
      texts: { value: null, about: 'check the texts, too: reads the job with your API key' },
    },
    notes: [],
    words: { min: 2, max: 2 },
    choices: ['get', 'verify'],
  },
  {
    name: 'login',
    usage: '',
    about: 'sign in on the website, or save an API key; sign out',
    examples: ['scriptorium login', 'pass show scriptorium | scriptorium login --key-stdin'],
    options: {
      device: { value: null, about: 'sign in by a code even where there is no terminal' },
      key: { value: null, about: 'ask for an API key instead of signing in' },
      'key-stdin': { value: null, about: 'read an API key from standard input' },
    },
    notes: ['SCRIPTORIUM_API_KEY needs no login.'],
    words: { min: 0, max: 0 },
  },
  {
    name: 'logout',
    usage: '',
    about: 'sign out, or forget the saved key',
    listedWith: 'login',
    examples: ['scriptorium logout'],
    options: {},
    notes: ['A sign-in ends at the service, too. A key stays valid until you revoke it.'],
    words: { min: 0, max: 0 },
  },
  {
    name: 'config',
    usage: '[url URL]',
    about: 'which service and key are used; completion for a shell',
    examples: ['scriptorium config', 'scriptorium config url https://transcripts.example.org'],
    options: {},
    notes: [],
    words: { min: 0, max: 2 },
    choices: ['url'],
  },
  {
    name: 'webhook',
    usage: 'listen [URL]',
    about: 'tell of jobs that end, as webhooks do, on this machine',
    examples: [
      'scriptorium webhook listen localhost:3000/hook',
      "scriptorium webhook listen | jq -c '{type, id: .data.id}'",
    ],
    options: {
      secret: { value: 'SECRET', about: 'sign with this one (whsec_…), not with a new one' },
    },
    notes: ['Without a URL each event is a line of JSON. Needs no address that others reach.'],
    words: { min: 1, max: 2 },
    choices: ['listen'],
  },
  {
    name: 'mcp',
    usage: '',
    about: 'tools for an agent, on standard input and output',
    examples: ['claude mcp add scriptorium -- scriptorium mcp'],
    options: {},
    notes: ['For agents that start a program. Others connect to /mcp of the service.'],
    words: { min: 0, max: 0 },
  },
  {
    name: 'completion',
    usage: 'SHELL',
    about: 'print the completion for bash, zsh or fish',
    listedWith: 'config',
    examples: ['source <(scriptorium completion bash)'],
    options: {},
    notes: [],
    words: { min: 1, max: 1 },
    choices: SHELLS,
  },
]
