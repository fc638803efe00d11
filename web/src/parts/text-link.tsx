/** A link to another page within a text. */
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

export const TextLink = createLink(({ className = '', ...link }: ComponentProps<'a'>) => (
  <a {...link} className={`link ${className}`} />
))
