import type { Text } from '@farlink/contract/kit/text.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { initialOf, useBrand } from '../kit/chrome/brand.ts';
import { t } from '../kit/chrome/lang.ts';
import { useDark } from '../ui/theme/theme.ts';

export const product: Text = ['卫星宽带网关运营平台', 'Satellite broadband gateway console'];

/** Title of the browser tab. */
export const titled = (brand: string, page?: string) => [page, brand].filter(Boolean).join(' · ');

/** A planet, two orbits, and a satellite on the outer one: shown while no VNO above has a logo. */
const Mark = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#1d4fd8" />
    <circle cx="10.5" cy="21.5" r="4.4" fill="#fff" />
    <path d="M10.5 12.7a8.8 8.8 0 0 1 8.8 8.8M10.5 6.7a14.8 14.8 0 0 1 14.8 14.8" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
    <circle cx="20.97" cy="11.03" r="3.7" fill="#1d4fd8" />
    <circle cx="20.97" cy="11.03" r="2.4" fill="#a9c6ff" />
  </svg>
);

interface LogoProps {
  readonly url: string;
  readonly name: string;
  readonly onError: () => void;
}

/** On a dark surface, dark letters become light; a logo with its own background gets a light plate. */
const Logo = ({ url, name, onError }: LogoProps) => {
  const isDark = useDark();
  const [drawn, setDrawn] = useState<{ readonly url: string; readonly dark: string | undefined }>();
  useEffect(() => {
    if (!isDark) return;
    const draw = async () => {
      const { darkLogo } = await import('./dark-logo.ts');
      return darkLogo(url);
    };
    draw().then(
      (dark) => setDrawn({ url, dark }),
      () => setDrawn({ url, dark: undefined }),
    );
  }, [isDark, url]);
  const shown = isDark && drawn?.url === url ? drawn : undefined;
  return (
    <img
      className="brand-logo"
      data-plate={(shown && shown.dark === undefined) || undefined}
      src={shown?.dark ?? url}
      alt={name}
      title={name}
      onError={onError}
    />
  );
};

interface BrandMarkProps {
  readonly size: number;
  /** Only a square fits. */
  readonly isShort?: boolean;
  /** Below the name; not shown beside a logo. */
  readonly children?: ReactNode;
}

/** The logo of the operator, or a mark with its name. */
export const BrandMark = ({ size, isShort = false, children }: BrandMarkProps) => {
  const { name, logo } = useBrand();
  const [broken, setBroken] = useState<string>();
  const hasLogo = logo !== null && logo !== broken;
  if (hasLogo && !isShort) return <Logo url={logo} name={name} onError={() => setBroken(logo)} />;
  return (
    <div className="brand" role="img" aria-label={name}>
      {hasLogo ? (
        <b className="brand-initial" style={{ width: size, height: size }}>
          {initialOf(name)}
        </b>
      ) : (
        <Mark size={size} />
      )}
      {!isShort && (
        <div className="brand-text">
          <span className="cut wordmark" title={name}>
            {name}
          </span>
          {children}
        </div>
      )}
    </div>
  );
};

export const Footer = () => {
  const { name } = useBrand();
  return (
    <footer className="muted small foot">
      © {new Date().getFullYear()} {name} · {t(product)}
    </footer>
  );
};
