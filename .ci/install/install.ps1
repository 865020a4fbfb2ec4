# Installs reprise for the current user, and removes it again. Nothing else is changed.
#
#   irm https://github.com/reprise/reprise/releases/latest/download/install.ps1 | iex
#   .\install.ps1 -Version 0.1.0 -Prefix C:\Tools\reprise
#   .\install.ps1 -Remove
#
# Needs ssh-keygen, which Windows has, to check the signature.
[CmdletBinding(SupportsShouldProcess)]
param(
  [string] $Version = 'latest',
  [string] $Prefix = (Join-Path $env:LOCALAPPDATA 'Programs\reprise'),
  [switch] $Remove
)
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 3.0

# The release script puts the address and the public key of the releases here.
$address = if ($env:REPRISE_RELEASES) { $env:REPRISE_RELEASES } else { '@ADDRESS@' }
$key = '@KEY@'

function Get-UserPath { @([Environment]::GetEnvironmentVariable('Path', 'User') -split ';' | Where-Object { $_ }) }

if ($Remove) {
  if (-not (Test-Path $Prefix)) { throw "Cannot remove reprise: nothing is in $Prefix" }
  if ($PSCmdlet.ShouldProcess($Prefix, 'Remove')) {
    $program = Join-Path $Prefix 'reprise.exe'
    if (Test-Path $program) { Remove-Item -Force $program }
    if (-not (Get-ChildItem $Prefix)) { Remove-Item $Prefix }
    $rest = (Get-UserPath | Where-Object { $_ -ne $Prefix }) -join ';'
    [Environment]::SetEnvironmentVariable('Path', $rest, 'User')
  }
  Write-Output "Removed reprise from $Prefix. Sessions stay."
  return
}

if (-not [Environment]::Is64BitOperatingSystem) { throw 'Cannot install reprise: it needs 64-bit Windows' }
$archive = 'reprise-x86_64-pc-windows-msvc.zip'
$from = if ($Version -eq 'latest') { "$address/latest/download" } else { "$address/download/v$($Version -replace '^v')" }
$folder = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory $folder | Out-Null
try {
  foreach ($name in 'SHA256SUMS', 'SHA256SUMS.sig', $archive) {
    Invoke-WebRequest -UseBasicParsing "$from/$name" -OutFile (Join-Path $folder $name)
  }
  $signers = Join-Path $folder 'signers'
  [IO.File]::WriteAllText($signers, "reprise $key`n")
  # PowerShell's pipe would change line ends: cmd hands the file over as it is.
  $sums = Join-Path $folder 'SHA256SUMS'
  cmd /c "ssh-keygen -Y verify -f `"$signers`" -I reprise -n reprise-release -s `"$sums.sig`" < `"$sums`"" | Out-Null
  if ($LASTEXITCODE -ne 0) { throw 'Cannot install reprise: the signature of SHA256SUMS is wrong' }
  $line = Get-Content $sums | Where-Object { $_ -match "^([0-9a-f]{64}) [ *]$([Regex]::Escape($archive))$" }
  $got = (Get-FileHash -Algorithm SHA256 (Join-Path $folder $archive)).Hash
  if (-not $line -or $line.Substring(0, 64) -ne $got) {
    throw "Cannot install reprise: the checksum of $archive is wrong"
  }
  if ($PSCmdlet.ShouldProcess($Prefix, 'Install')) {
    Expand-Archive (Join-Path $folder $archive) (Join-Path $folder 'files')
    New-Item -ItemType Directory -Force $Prefix | Out-Null
    Copy-Item -Force (Join-Path $folder 'files\reprise.exe') $Prefix
    $path = @(Get-UserPath)
    if ($path -notcontains $Prefix) {
      [Environment]::SetEnvironmentVariable('Path', (@($path) + $Prefix) -join ';', 'User')
    }
    Write-Output "Installed reprise $(& (Join-Path $Prefix 'reprise.exe') --version) in $Prefix. Open a new terminal."
  }
} finally {
  Remove-Item -Recurse -Force $folder
}
