/** The product's name: the one place where it is written (index.html shows it until the web app runs). */
export const PRODUCT_NAME = 'CourseJudge'
