import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readMarkdown } from '../../lib/text/markdown-thread.ts'
import { imagesElsewhere } from './parse/harmless-tree.ts'
import classes from './images-notice.module.css'

/** The addresses of a text's images from other sites; while the text is being read, the previous addresses. */
function useImagesElsewhere(text: string): string[] {
  const [images, setImages] = useState<string[]>([])
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    async function look() {
      // Most texts contain no image, so there is no need to parse them.
      const read = text.includes('![') ? await readMarkdown(text, signal) : null
      if (!signal.aborted) setImages(read === null ? [] : imagesElsewhere(read.tree))
    }
    look().catch(() => undefined)
    return () => stop.abort()
  }, [text])
  return images
}

/** Says which images of a text readers see only as links, and how the author can show these images. */
export function ImagesNotice({ text }: { text: string }) {
  const { t } = useTranslation()
  const images = useImagesElsewhere(text)
  return (
    // Rendered before its text arrives, else screen readers miss it.
    <output className={images.length > 0 ? classes.notice : undefined}>
      {images.length > 0 ? (
        <>
          {t('markdown.imagesElsewhere')}
          <ul>
            {images.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </>
      ) : null}
    </output>
  )
}
