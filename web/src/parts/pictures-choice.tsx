/** The switch for pictures in lists: they come from the platform, so that nobody sees one without having asked. */
import { PICTURES, useKept } from '../kept-choice.ts'
import { CheckBox } from './controls.tsx'

export function PicturesChoice() {
  const isOn = useKept(PICTURES) === 'on'
  return (
    <CheckBox
      checked={isOn}
      onChange={({ target }) => PICTURES.keep(target.checked ? 'on' : 'off')}
      className="text-sm"
    >
      Pictures <span className="text-muted">(your browser loads them from YouTube)</span>
    </CheckBox>
  )
}
