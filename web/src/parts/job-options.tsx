/** Language, formats, limit and dates of a job; everything has a good default. */
import { FORM_FILES, type Format, FORMATS, FORMS } from '../../../src/model/files/catalogue.ts'
import { useState } from 'react'
import { hasVisible, visibleLine } from '../../../src/kit/text/invisible.ts'
import type { JobRequest, WishedTrack } from '../api/client.ts'
import { BATCH_VIDEOS_MAX, JOB_VIDEOS_MAX } from '../api/batches.ts'
import { count, dotted, languageName } from '../format.ts'
import { DAY_FIELDS, daysOf, dayWords, type Options } from '../order-fields.ts'
import { CheckBox, Choice, Field } from './controls.tsx'
import { captionsWords } from '../words.ts'
import { LanguageField } from './language-field.tsx'

export const EMPTY_OPTIONS: Options = {
  language: '',
  formats: [...FORMATS],
  maxVideos: String(JOB_VIDEOS_MAX),
  owned: 'skip',
}

/** Kinds of captions where a video has both, the usual wish first. */
const CAPTIONS: [WishedTrack | undefined, string][] = [
  [undefined, 'Creator’s first'],
  ['asr', 'Automatic'],
  ['manual', 'Creator’s'],
]

/** Returns the options as the API takes them; unchanged ones are left out. */
export function optionsOf(options: Options): Omit<JobRequest, 'urls'> {
  const { language, formats, maxVideos } = options
  return {
    ...(visibleLine(language) === '' ? {} : { language: visibleLine(language) }),
    ...(formats.length === FORMATS.length ? {} : { formats }),
    ...(isUsual(maxVideos) ? {} : { maxVideos: Number(maxVideos) }),
    ...daysOf(options),
  }
}

/** Whether the limit is that of an order that does not say: then a long list of videos is not cut. */
function isUsual(maxVideos: string): boolean {
  return !hasVisible(maxVideos) || maxVideos === EMPTY_OPTIONS.maxVideos
}

type Props = {
  options: Options
  onChange: (part: Partial<Options>) => void
  errorAt: (name: string) => string | null
}

export function JobOptions({ options, onChange, errorAt }: Props) {
  const [isOpen, setOpen] = useState(false)
  const folded = ['language', 'formats', ...DAY_FIELDS.map(([name]) => name)]
  const isWrong = folded.some((name) => errorAt(name) !== null)
  return (
    <div className="grid gap-x-6 gap-y-5 border-t border-line pt-6 sm:grid-cols-2">
      <Field
        label="Maximum number of videos"
        type="number"
        inputMode="numeric"
        min={1}
        max={BATCH_VIDEOS_MAX}
        value={options.maxVideos}
        hint={`For a channel, the newest come first. Up to ${count(BATCH_VIDEOS_MAX)}.`}
        onChange={(event) => onChange({ maxVideos: event.target.value })}
        error={errorAt('maxVideos')}
      />
      <details
        className="sm:col-span-2"
        open={isOpen || isWrong}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="min-h-6 text-sm">
          More options · {dotted(changed(options)) || 'language, files, dates'}
        </summary>
        <FoldedOptions options={options} onChange={onChange} errorAt={errorAt} />
      </details>
    </div>
  )
}

/** Returns the folded options that are not the usual ones, in words. */
function changed(options: Options): string[] {
  const { language, track, formats } = options
  return [
    hasVisible(language) ? languageName(visibleLine(language)) : '',
    track === undefined ? '' : captionsWords(track),
    formats.length === FORMATS.length ? '' : formats.join(', '),
    ...dayWords(options),
  ]
}

function FoldedOptions({ options, onChange, errorAt }: Props) {
  return (
    <div className="mt-4 grid gap-x-6 gap-y-5 sm:grid-cols-2">
      <LanguageField
        value={options.language}
        onChange={(language) => onChange({ language })}
        error={errorAt('language')}
      />
      <Choice
        label="Captions"
        hint="Where a video has only the other kind, you get that."
        value={CAPTIONS.findIndex(([track]) => track === options.track)}
        onChange={(event) => onChange({ track: CAPTIONS[Number(event.target.value)]?.[0] })}
      >
        {CAPTIONS.map(([, name], at) => (
          <option key={name} value={at}>
            {name}
          </option>
        ))}
      </Choice>
      {DAY_FIELDS.map(([name, { label }]) => (
        <Field
          key={name}
          label={label}
          type="date"
          value={options[name] ?? ''}
          onChange={(event) => onChange({ [name]: event.target.value })}
          error={errorAt(name)}
        />
      ))}
      <Formats {...{ options, onChange, errorAt }} />
    </div>
  )
}

function Formats({ options: { formats }, onChange, errorAt }: Props) {
  const turn = (format: Format, isOn: boolean) =>
    onChange({ formats: FORMATS.filter((one) => (one === format ? isOn : formats.includes(one))) })
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Files for each video</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {FORM_FILES.map((form) => FORMS[form]).map(({ format, label }) => (
          <CheckBox
            key={format}
            checked={formats.includes(format)}
            onChange={(event) => turn(format, event.target.checked)}
          >
            {label.split(' ', 1)}
          </CheckBox>
        ))}
      </div>
      <p className="mt-1 text-sm font-medium text-danger empty:hidden">
        {errorAt('formats') ?? (formats.length === 0 && 'Choose at least one.')}
      </p>
    </fieldset>
  )
}
