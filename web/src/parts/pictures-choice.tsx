/** The switch for pictures in lists: they come from the platform, so that nobody sees one without having asked. */
import { PICTURES, useKept } from '../kept-choice.ts'

export function PicturesChoice() {
  const isOn = useKept(PICTURES) === 'on'
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => PICTURES.keep(target.checked ? 'on' : 'off')}
        className="size-4.5 accent-accent"
      />
      Pictures <span className="text-muted">(your browser loads them from YouTube)</span>
    </label>
  )
}
