import './lib/strict-schemas.ts'
import '@fontsource-variable/figtree'
import '@fontsource-variable/source-code-pro'
import './styles/mantine.css'
// Imported here, so that the styles of Mantine's components come before the app's.
import { MantineProvider } from '@mantine/core'
import './styles/global.css'
import './styles/code.css'
import './styles/print.css'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { watchBrowserConnection } from './lib/api/connection.ts'
import { startI18n } from './lib/format/i18n.ts'
import { hasUnsavedChanges } from './lib/drafts/leave-warning.ts'
import { startListDensity } from './lib/list-density.ts'
import { takeMailedLink } from './lib/session/mailed-link.ts'
import { queryClient } from './lib/api/query-client.ts'
import { sessionQuery, watchSession } from './lib/session/session.ts'
import { createAppRouter } from './router.tsx'
import { ColorSchemeClass, colorSchemeManager } from './styles/color-scheme.tsx'
import { cssVariablesResolver, theme } from './styles/theme.ts'

takeMailedLink()

// A page opened before a deployment asks for files that are gone: load the new app once.
// No reload while a form holds unsaved changes or the server cannot be reached.
window.addEventListener('vite:preloadError', (event) => {
  if (!onlineManager.isOnline() || hasUnsavedChanges()) return
  const last = Number(sessionStorage.getItem('reloaded-at') ?? 0)
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem('reloaded-at', String(Date.now()))
  event.preventDefault()
  window.location.reload()
})

/** How long the first render waits for the session, in ms; without the session the page would render twice. */
const SOON_MS = 150

// Most pages need the session: ask for it before anything renders.
const session = queryClient.prefetchQuery(sessionQuery)
const router = createAppRouter()
watchSession()
watchBrowserConnection()
startListDensity()
await startI18n()
await Promise.race([session, new Promise((resolve) => setTimeout(resolve, SOON_MS))])

const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no #root')
createRoot(container).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      // The provider sets all variables, so that no style sheet has to contain them.
      deduplicateCssVariables={false}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <ColorSchemeClass />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
