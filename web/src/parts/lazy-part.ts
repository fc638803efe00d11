/** Components whose part of the program is loaded when they are first shown: elsewhere it would only weigh. */
import { type ComponentType, lazy } from 'react'
import { loadPart } from '../connection.ts'
import { PartMissing } from './lost-connection.tsx'

/** The page on which somebody has typed or chosen something. */
let typedOn: string | null = null
addEventListener('input', () => {
  typedOn = location.pathname
})

/** Where a part belongs to another release, the page is loaded anew, unless something was typed on it. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await loadPart(load, () => typedOn !== location.pathname) }
    } catch {
      return { default: PartMissing }
    }
  })
}
