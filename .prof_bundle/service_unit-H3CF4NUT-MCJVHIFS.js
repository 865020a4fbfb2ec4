import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";function or(r,t){return r==="systemd"?c(t):a(t)}function c({description:r,command:t,variables:o={}}){let p=Object.entries(o).map(([i,m])=>`Environment=${s(`${i}=${m}`)}
`).join("");return`[Unit]
Description=${r}

[Service]
ExecStart=${t.map(s).join(" ")}
${p}Restart=on-failure
RestartSec=10
Nice=10

[Install]
WantedBy=default.target
`}function s(r){let t=r.replaceAll("\\","\\\\").replaceAll("%","%%").replaceAll("$","$$$$").replaceAll('"','\\"').replaceAll(`
`,"\\n");return/^[\w@%+=:,./-]+$/.test(t)?t:`"${t}"`}function a({name:r,command:t,variables:o={}}){let p=t.map(e=>`    <string>${n(e)}</string>`).join(`
`),i=Object.entries(o).map(([e,l])=>`    <key>${n(e)}</key>
    <string>${n(l)}</string>`).join(`
`),m=i===""?"":`  <key>EnvironmentVariables</key>
  <dict>
${i}
  </dict>
`;return`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>reprise.${r}</string>
  <key>ProgramArguments</key>
  <array>
${p}
  </array>
${m}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`}function n(r){return r.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;")}export{or as serviceUnit};
