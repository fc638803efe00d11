/** The switch for pictures in lists: it names the host that is asked for them, before anybody sees one. */
import { PICTURES, useKept } from '../kept-choice.ts'
import { CheckBox } from './controls.tsx'

export function PicturesChoice() {
  const isOn = useKept(PICTURES) === 'on'
  return (
    <CheckBox
      checked={isOn}
      onChange={({ target }) => PICTURES.keep(target.checked ? 'on' : 'off')}
      className="text-sm text-muted"
    >
      YouTube pictures
    </CheckBox>
  )
}
