/** The components that show the elements of Markdown. */
import { useTranslation } from 'react-i18next'
import type { Components } from 'hast-util-to-jsx-runtime'
import { pathOfAddress } from '#contract/problems/file-address'
import { fileUrl } from '../../lib/files/held-files.ts'
import { CalloutBox } from './callout-box.tsx'
import { ColouredBlock } from '../code/coloured-block.tsx'

/** The read-only checkbox of a task list. */
function TaskBox({ checked }: { checked: boolean }) {
  const { t } = useTranslation()
  return (
    <input
      type="checkbox"
      disabled
      checked={checked}
      aria-label={checked ? t('markdown.done') : t('markdown.open')}
    />
  )
}

/** Files of statements are read from the API, which may have an origin of its own. */
function addressOf(address: string | undefined): string | undefined {
  const [, file = '', part = ''] = /^([^#]*)(#.*)?$/.exec(address ?? '') ?? []
  const path = pathOfAddress(file)
  return path === null ? address : fileUrl(path) + part
}

const common: Components = {
  // A link without an address was unsafe: show its text only.
  a: ({ children, href, title, 'data-image': image }) =>
    href ? (
      <a
        href={addressOf(href)}
        title={title}
        rel="noopener noreferrer nofollow"
        // A link that replaces an image opens a new tab, so that the reader stays here.
        target={image === undefined ? undefined : '_blank'}
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt, title }) => (
    <img src={addressOf(src)} alt={alt ?? ''} title={title} loading="lazy" />
  ),
  input: ({ checked }) => <TaskBox checked={checked === true} />,
  // A wide table scrolls; the keyboard must reach it.
  table: ({ children }) => (
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // Only callouts become an `aside`.
  aside: (props) => <CalloutBox {...props} />,
  code: ({ className, children }) => (
    <ColouredBlock className={className}>{children}</ColouredBlock>
  ),
  // Long lines of code scroll, too; the keyboard must reach them.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
}

/** Headings of a text start below the page's own. */
const PARTS: Record<1 | 2, Components> = {
  1: {
    ...common,
    h1: ({ children }) => <h2>{children}</h2>,
    h2: ({ children }) => <h3>{children}</h3>,
    h3: ({ children }) => <h4>{children}</h4>,
    h4: ({ children }) => <h5>{children}</h5>,
    h5: ({ children }) => <h6>{children}</h6>,
  },
  2: {
    ...common,
    h1: ({ children }) => <h3>{children}</h3>,
    h2: ({ children }) => <h4>{children}</h4>,
    h3: ({ children }) => <h5>{children}</h5>,
    h4: ({ children }) => <h6>{children}</h6>,
    h5: ({ children }) => <h6>{children}</h6>,
  },
}

/** @param below level of the heading above the text */
export function markdownParts(below: 1 | 2): Components {
  return PARTS[below]
}
