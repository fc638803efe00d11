/** The button that orders, once its question is answered. */
import { askedPart } from './asked-part.tsx'

export const OrderQuestion = askedPart(async () => (await import('./asked-order.tsx')).AskedOrder)
