import { authForms, type Session } from '@farlink/contract/auth/auth.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useState } from 'react';
import { useBrand } from '../../kit/chrome/brand.ts';
import { t } from '../../kit/chrome/lang.ts';
import { BrandMark, Footer, product, titled } from '../brand.tsx';
import { RequestOverlay } from '../request-overlay.tsx';
import { isLegalDocument, Legal } from './legal.tsx';
import { LoginForm } from './login-form.tsx';
import { LoginOptions } from './login-options.tsx';
import { OrbitArt } from './orbit-art.tsx';
import { ResetForm } from './reset-form.tsx';
import { useHash } from './use-hash.ts';
import './login.css';
import './login-form.css';
import './legal.css';
import './login-narrow.css';

const welcome: Text = ['登录控制台', 'Log in to the console'];
const promise: Text = ['让每一艘船都在线', 'Every vessel, always online'];
const subline: Text = ['网关、账号、套餐与账单，在一个平台上统一运营。', 'Gateways, accounts, packages and bills, run from one console.'];

export const LoginPage = ({ onSession }: { onSession: (session: Session) => void }) => {
  const brand = useBrand();
  const hash = useHash();
  const screen = hash.slice(1);
  const resetting = hash === '#reset';
  const [entering, setEntering] = useState(false);
  const form = resetting ? authForms.reset : authForms.login;

  const handleSession = (session: Session) => {
    setEntering(true);
    onSession(session);
  };

  useEffect(() => {
    document.title = titled(brand.name, t(form.title));
  }, [form, brand.name]);

  return (
    <div className="login">
      <section className="login-side" aria-label={t(product)}>
        <OrbitArt />
        <div className="login-slogan">
          <p className="login-promise">{t(promise)}</p>
          <p>{t(subline)}</p>
        </div>
      </section>
      <main className="login-main">
        <LoginOptions />
        <div className="login-card">
          <div className="row wrap login-brand">
            <BrandMark size={40}>
              <small className="muted small">{t(product)}</small>
            </BrandMark>
            {brand.logo !== null && <p className="muted login-operator">{brand.name}</p>}
          </div>
          <h1>{t(resetting ? form.title : welcome)}</h1>
          {resetting ? <ResetForm /> : <LoginForm busy={entering} onSession={handleSession} />}
        </div>
        <Footer />
      </main>
      {isLegalDocument(screen) && <Legal key={screen} name={screen} />}
      <RequestOverlay />
    </div>
  );
};
