/** The website starts here. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import './styles.css'

// Asked at once, and not when the first page is drawn: the program of that page, and what it shows.
for (const route of router.getMatchedRoutes(location.pathname)[0])
  router.loadRouteChunk(route)?.catch(() => undefined)
router.load().catch(() => undefined) // the page itself says what is wrong

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
