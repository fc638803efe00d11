/** Components whose part of the program is loaded when they are first shown: elsewhere it would only weigh. */
import { type ComponentType, lazy } from 'react'
import { loadPart } from '../connection.ts'

export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load, () => true) }))
}
