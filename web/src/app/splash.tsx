import { Mark, productName } from './brand.tsx';

/** The loading screen of index.html, shown again while the first page loads. */
export const Splash = () => (
  <div className="splash" role="status" aria-label={productName}>
    <Mark size={44} />
  </div>
);
