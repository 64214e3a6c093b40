/** Created with the openssl command, as test vectors independent of our code. The private key was deleted. */
export const vectorCert = `-----BEGIN CERTIFICATE-----
MIIDdjCCAl6gAwIBAgIJAKGyw9Tl9gcYMA0GCSqGSIb3DQEBCwUAMFAxCzAJBgNV
BAYTAkNOMQ8wDQYDVQQKDAZWZWN0b3IxFzAVBgNVBAsMDlRlc3QgQXV0aG9yaXR5
MRcwFQYDVQQDDA5WZWN0b3IgUm9vdCBSMTAeFw0yNjExMTUwNzEwMzhaFw00NjEx
MTAwNzEwMzhaMFAxCzAJBgNVBAYTAkNOMQ8wDQYDVQQKDAZWZWN0b3IxFzAVBgNV
BAsMDlRlc3QgQXV0aG9yaXR5MRcwFQYDVQQDDA5WZWN0b3IgUm9vdCBSMTCCASIw
DQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAOgq119KzOhDpiIO6shXoBf1Uoub
X7jmStkOykk4ax3tpM2rFWPjWBB1aLXsRJrc2C7m3pb+EVi3b3XKl7ZzHQ9heeZ7
5pKNkgM4TxEm3G22PIv+UWdLKQvKjezpd3o5ozgOdAOgJ8hR668yykF0rS2Sz66b
Iv6Dta3MVQLeD210XZcyhAOiS+UIjWB3yJi+OAho7s8HxxLq0gBLHbl2PbKuHHlr
W9/JlnRz6+lYTYQw/XYiDJ5Svfzkk5dQBaYF9t+I8HIYPsLfiynzmk6CSqxuzZWe
m/8ole3HsIkWBjNabHtFFp512tjBJvHq+DRBeqfpPhOqnu2UvLANFeF3OicCAwEA
AaNTMFEwHQYDVR0OBBYEFArDbfY9nxTzMR2LKgRP5/BdfGq1MB8GA1UdIwQYMBaA
FArDbfY9nxTzMR2LKgRP5/BdfGq1MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcN
AQELBQADggEBAAo4fgMhjk1MvGkfTYQvFA2x0Fa8fB/jBbnpBkzM9ExU79BoceR3
kET+De7UhuzwywzxLmaTERVItU+Zz3K3oeo0FIknRfhVPByDJbxuk9ecFU4N93GS
4I1P/cVPqM0VmUmdbP1x+O8D7XsdqxxffhujWsgfdVysdAhCCJuLOmCNLUCezFR4
OfQb9+LyaamQTvn6FaQSBQHp07XXBFryknqj7W8eVb1EdkoIEEuqHFGfjB6oBYl7
7h0AIi70RzXUDoCDGNQW0muouHpPoDKUutMzJZURL20xSLF+xgLapWaGX9UYUPmM
RNCamCrnS5tQld89MDDBowAtE3chJRC9rTU=
-----END CERTIFICATE-----
`;

/** MD5 of `openssl x509 -issuer -nameopt RFC2253` and the decimal serial number. */
export const vectorSn = '7eb92db9dbe615648e55f5de7afc984f';
export const vectorSerial = 'A1B2C3D4E5F60718';

/** `openssl dgst -sha256 -sign` over these texts. */
export const vectors = {
  answer: {
    text: String.raw`{"code":"10000","msg":"Success","out_trade_no":"FL20260101","qr_code":"https:\/\/qr.alipay.com\/bax\"}{"}`,
    signature:
      '5CwY0rGFFan5RdAQzHeay+JZD2rFwnt9/SyNKYb8QQB4BsqmSf7Ufx5vv2wKgUvkeiJ0FJE0emZ3OD1NUgzQVIGbnTGDQd419JJcl6q2Z3J0IzhcBkrYM1+Dw3xj9DpqAhuFpl6XEw1ZS6g3I1C+5gW51Cd9BkJMHL9T+lj8gcOs12KA+NlT8rT+FuLbDnt57OvLXe+LCNOyIhJYAIzfsQDRxZQJ6J4KbV5/Bzykw+x1Zmcpl2tALstsr8NR4DSV9aclCEk9QrApmiQb2YbG8F7kKjKvFs3tID7czbSbdEUvWGDqcxUmgy+SuwgwUOs9ByZAGxiAK33tdJOTyzlk+w==',
  },
  notice: {
    text: 'app_id=2021000000000001&notify_id=n-1&subject=50 元套餐 & more&total_amount=50.00&trade_status=TRADE_SUCCESS',
    signature:
      'umTsMt+k3JXW9z3SixoXzN1OcT+WTQiVKhtRg0j1BI1o7UE8oP2FOa5pI4GdJI20G4gaJVjW7/bJKT2xIr0HHdmb6WcJaD2qYHYVjmNNliowL91CG+cqI93ZhyBA7uHvZ3tth0HFneAfsXgrIHnOTmeuZdT82hOfddsXgOp+sFDd9A5NR7lkp3jUIR/vw8YuzQD0rmIrwIWBJc6LOXFd78XnnZ8xfPRCGqBsseoQ6Z7gGlgb+e/7kosrEUkK+ib3Zx4Jp1GqX5hEzb6vkklTewNx7+LFNOQFljy/+B4jTwvkQq6bwjx6G/uMY2Cqgl1N3X14uoTmzFYwB4QmULtTiA==',
  },
  message: {
    timestamp: 1_760_000_000,
    nonce: 'abcdef',
    body: '{"id":"e-1"}',
    signature:
      'hcK08YVR8I01d2c0CYQYRdDlI40UGpRGBn2OHBcomk4jDqBtrf96WYMw7XBP4xB+iW2MRuGWE2nkfbuLuEydMoxvOeCuylo6aSLCt7V9U2JtmTda/rzt1O8yAFsUmjpEv7bLd64IljubXqAOq35uwXF7BsOC/ZjpZcUB5XTs77qqEkb8eHtZM11snxW8g5KhDgqswuAFN6ELMbPG09OvIrfY98H/a1ke9D+usjx/SFUhzlMJNnyuyoRZiXj9I943s7cGH1RmdpXnFz6ORimEcTa2dBphW6j7vEtRJDtzvlBcanH2LjnHKiLTJCGzi9NbH5HXag9fFqx5J48qvah1iQ==',
  },
};
